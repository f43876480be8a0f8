import { Button, FileButton, Progress, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { imageBytesMax, imageTypes } from '../api/files.js';
import { FormProblem } from '../api/server-form.js';
import { useFiles } from '../api/use-image.js';
import classes from './plans.module.css';
import { texts } from './texts.js';

const pdfType = 'application/pdf';
/** The largest PDF. It is read in the browser; only the image of its first page is sent. */
const pdfBytesMax = 100 * 1024 * 1024;

/** Takes an image, or a PDF whose first page becomes one, that is chosen or dropped, and uploads it; `onUploaded` refers to it, and may fail. */
export function ImageUpload({ onUploaded }: { onUploaded: (imageId: number) => Promise<unknown> }) {
  const files = useFiles();
  const [isOver, setOver] = useState(false);
  const [part, setPart] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function take(file: File | null | undefined): Promise<void> {
    if (!file || part !== null) return;
    setProblem(null);
    setRefusal(refusalOf(file));
    if (refusalOf(file) !== null) return;
    setPart(file.type === pdfType ? 1 : 0);
    try {
      const image = file.type === pdfType ? await pageOf(file) : file;
      if (!image) return;
      const { id } = await files.uploadImage(image, { kind: 'plan', onProgress: setPart });
      await onUploaded(id);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setPart(null);
    }
  }

  /** Draws the first page of a PDF. The code for this is loaded with the first PDF. */
  async function pageOf(file: File): Promise<Blob | undefined> {
    const { imageOfPdf } = await import('./pdf-image.js');
    return imageOfPdf(file).catch(() => {
      setRefusal(texts.unreadablePdf);
      return undefined;
    });
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  function drag(event: DragEvent): void {
    event.preventDefault();
    setOver(event.type === 'dragover');
  }

  return (
    <Stack gap="sm">
      <div className={classes['drop']} data-over={isOver} onDrop={drop} onDragOver={drag} onDragLeave={drag}>
        {part === null ? (
          <Stack align="center" gap="sm">
            <Text>{texts.drop}</Text>
            <FileButton
              onChange={(file) => void take(file)}
              accept={[...imageTypes, pdfType].join(',')}
              inputProps={{ 'aria-label': texts.chooseFile }}
            >
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={18} aria-hidden />}>
                  {texts.chooseFile}
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed">
              {texts.formats}
            </Text>
          </Stack>
        ) : (
          <Stack gap="xs" role="status">
            <Text>{part < 1 ? `${texts.uploading}, ${Math.round(part * 100)} %` : texts.processing}</Text>
            <Progress value={part * 100} animated={part === 1} aria-label={texts.uploading} />
          </Stack>
        )}
      </div>
      {refusal !== null && (
        <Text role="alert" c="red" size="sm">
          {refusal}
        </Text>
      )}
      <FormProblem problem={problem} />
    </Stack>
  );
}

/** Images that the service would reject are not sent. */
function refusalOf(file: File): string | null {
  if (file.type === pdfType) return file.size > pdfBytesMax ? texts.tooLargePdf : null;
  // The upload says what to do with a HEIC photo.
  if (!imageTypes.includes(file.type) && !/\.hei[cf]$/i.test(file.name)) return texts.wrongType;
  return file.size > imageBytesMax ? texts.tooLarge : null;
}
