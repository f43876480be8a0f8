export type StepProps = {
  /** Continues with the next step, whether this step is done or skipped. */
  onNext: () => void;
};
