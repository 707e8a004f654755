/**
 * The stages of the model's half before the detectors. Each is skipped with a reason where there is no model, and a run
 * is whole all the same; what a model needs is loaded when there is one.
 */
import type { ResourceId } from '../../../signals/resource.ts';
import type { ModelPart } from '../model-half/model-part.ts';
import type { RunPass } from '../run-pass.ts';
import type { StageName } from '../run-record.ts';
import type { Surveyed } from './survey.ts';

const LOOKING_STAGES = [
  'budget_check',
  'guest_intelligence',
  'triage',
  'seed_context',
  'model_loop',
] as const satisfies readonly StageName[];

export const modelStages = async (
  pass: RunPass,
  surveyed: Surveyed,
  isInScope: (id: ResourceId) => boolean,
): Promise<ModelPart> => {
  const { recorder, settings, request } = pass;
  const skip = (stages: readonly StageName[], reason: string, isMissing: boolean): ModelPart => {
    for (const stage of stages) recorder.skip(stage, reason);
    return { kind: 'none', reason, isMissing };
  };
  if (settings.model === null) return skip(LOOKING_STAGES, 'no provider', false);
  if (request.kind === 'watch') return skip(LOOKING_STAGES, 'a watch', false);
  const { look } = await import('../model-half/look.ts');
  const looked = await look(pass, surveyed, settings.model, isInScope);
  return looked.kind === 'open' ? looked : skip(looked.skipped, looked.reason, looked.isMissing);
};
