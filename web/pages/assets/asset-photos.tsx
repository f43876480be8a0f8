import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  FileButton,
  Group,
  Image,
  Modal,
  Progress,
  Skeleton,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { imageBytesMax, imageTypes } from '../../api/files.js';
import { FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useFiles, useImage } from '../../api/use-image.js';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { KindPicture } from '../../kinds/kind-picture.js';
import { ActionButton } from '../../ui/action-button.js';
import { ProblemState, Unanswered } from '../../ui/problem-state.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { exactTime } from '../../ui/times.js';
import type { AssetDetail } from './asset-values.js';
import classes from './asset-photos.module.css';

type Photo = Outputs['assets']['photos']['data'][number];

const photosMax = 10;

/** The photos of an asset as thumbnails; managers add and remove them. */
export function AssetPhotos({ asset }: { asset: AssetDetail }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const photos = useQuery(trpc.assets.photos.queryOptions({ asset_id: asset.id }));
  const [open, setOpen] = useState<Photo | null>(null);
  if (!photos.data) return <Unanswered query={photos} height={96} />;
  const { data } = photos.data;
  return (
    <Stack gap="sm">
      {data.length === 0 &&
        (asset.kind?.image_id ? (
          <KindPicture kind={asset.kind} size={96} />
        ) : (
          <Text c="dimmed">{t`No photos yet.`}</Text>
        ))}
      {data.length > 0 && (
        <ul className={classes['photos']} aria-label={t`Photos`}>
          {data.map((photo, index) => (
            <li key={photo.image_id}>
              <Thumbnail photo={photo} name={`Photo ${index + 1} of ${asset.name}`} onOpen={() => setOpen(photo)} />
            </li>
          ))}
        </ul>
      )}
      {can('manager') && <AddPhoto assetId={asset.id} isFull={data.length >= photosMax} />}
      {open && <LargePhoto asset={asset} photo={open} onClose={() => setOpen(null)} />}
    </Stack>
  );
}

function Thumbnail({ photo, name, onOpen }: { photo: Photo; name: string; onOpen: () => void }) {
  const { url, error } = useImage(photo.image_id, 'thumbnail');
  return (
    <UnstyledButton className={classes['thumbnail']} onClick={onOpen} aria-label={name}>
      {url !== undefined && <img src={url} alt="" />}
      {error !== null && <Text size="xs" c="dimmed">{t`Not loaded`}</Text>}
    </UnstyledButton>
  );
}

type LargePhotoProps = { asset: AssetDetail; photo: Photo; onClose: () => void };

function LargePhoto({ asset, photo, onClose }: LargePhotoProps) {
  const { trpc, api, answers, refresh } = useServer();
  const { can } = useSession();
  const { url, error, retry } = useImage(photo.image_id);

  function show(photos: Outputs['assets']['photos']): void {
    answers.setQueryData(trpc.assets.photos.queryKey({ asset_id: asset.id }), photos);
    void refresh(trpc.activity);
  }

  async function remove(): Promise<void> {
    const photos = await api.assets.removePhoto.mutate({ asset_id: asset.id, image_id: photo.image_id });
    show(photos);
    onClose();
    showUndoNotice(t`Photo deleted`, async () => {
      show(await api.assets.addPhoto.mutate({ asset_id: asset.id, image_id: photo.image_id }));
      return t`Photo restored`;
    });
  }

  return (
    <Modal opened onClose={onClose} size="xl" title={asset.name}>
      <Stack>
        {error !== null ? (
          <ProblemState error={error} onRetry={retry} />
        ) : url === undefined ? (
          <Skeleton height={320} />
        ) : (
          <Image src={url} alt={t`Photo of ${asset.name}`} mah="70dvh" fit="contain" />
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            <Trans>Added {exactTime(Date.parse(photo.added_at))}</Trans>
          </Text>
          {can('manager') && (
            <ActionButton leftSection={<IconTrash size={16} aria-hidden />} onAct={remove}>{t`Delete`}</ActionButton>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Uploads a photo: from a file, or with the camera on devices with a touchscreen. */
function AddPhoto({ assetId, isFull }: { assetId: number; isFull: boolean }) {
  const { trpc, api, answers, refresh } = useServer();
  const files = useFiles();
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function add(file: File | null): Promise<void> {
    if (!file) return;
    setProblem(null);
    if (file.size > imageBytesMax) {
      setProblem({
        type: 'validation_error',
        title: t`This photo is too large`,
        detail: t`Choose one of up to 10 MB.`,
        fields: [],
      });
      return;
    }
    setSent(0);
    try {
      const image = await files.uploadImage(file, { kind: 'photo', onProgress: setSent });
      const photos = await api.assets.addPhoto.mutate({ asset_id: assetId, image_id: image.id });
      answers.setQueryData(trpc.assets.photos.queryKey({ asset_id: assetId }), photos);
      void refresh(trpc.activity);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setSent(null);
    }
  }

  const isDisabled = isFull || sent !== null;
  return (
    <Stack gap="xs">
      <FormProblem problem={problem} />
      {sent !== null && <Progress value={sent * 100} aria-label={t`Uploading the photo`} />}
      <Group gap="xs">
        <FileButton
          accept={imageTypes.join(',')}
          onChange={(file) => void add(file)}
          inputProps={{ 'aria-label': t`Photo file` }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              disabled={isDisabled}
              leftSection={<IconPhotoPlus size={16} aria-hidden />}
            >
              <Trans>Add photo</Trans>
            </Button>
          )}
        </FileButton>
        {isTouch && (
          <FileButton
            accept={imageTypes.join(',')}
            capture="environment"
            onChange={(file) => void add(file)}
            inputProps={{ 'aria-label': t`Camera` }}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                disabled={isDisabled}
                leftSection={<IconCamera size={16} aria-hidden />}
              >
                <Trans>Take photo</Trans>
              </Button>
            )}
          </FileButton>
        )}
        {isFull && (
          <Text size="sm" c="dimmed">
            <Trans>Up to {photosMax} photos</Trans>
          </Text>
        )}
      </Group>
    </Stack>
  );
}
