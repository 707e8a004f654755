/** Stage 7: what detectors raised and no finding stands for goes back to the model, scoped to exactly that. */
import type { Signal } from '../../../signals/detector.ts';
import type { ModelPart } from '../model-half/model-part.ts';
import type { RunPass } from '../run-pass.ts';

/** Why the model declined, by signal. */
export type Declines = ReadonlyMap<Signal, string>;

const NONE: Declines = new Map();

export const evaluationPass = async (
  { recorder }: RunPass,
  part: ModelPart,
  unmatched: readonly Signal[],
): Promise<Declines> => {
  const skip = (reason: string): Declines => {
    recorder.skip('evaluation_pass', reason);
    return NONE;
  };
  if (part.kind === 'none') return skip(part.reason);
  const { session } = part;
  if (unmatched.length === 0) return skip('every signal has its finding');
  if (!session.mayGoOn()) return skip('the model gave up before');
  const [{ weighSignals }, { loopNote }] = await Promise.all([
    import('../model-half/weigh-signals.ts'),
    import('../model-half/model-session.ts'),
  ]);
  return recorder.run('evaluation_pass', async () => {
    const { end, asked, declines } = await weighSignals(session, unmatched);
    return { value: declines, note: `${asked} signals asked about, ${declines.size} declined; ${loopNote(end)}` };
  });
};
