/** A model that is never sent a secret: every text of a request passes through here. */
import { redactSecrets } from '../runtime/redact-secrets.ts';
import { createRequestMap } from './map-requests.ts';
import type { Model } from './model.ts';

export const redactedModel = (model: Model): Model => {
  const redact = createRequestMap(redactSecrets);
  return {
    provider: model.provider,
    name: model.name,
    contextTokens: model.contextTokens,
    turn: (request, options) => model.turn(redact(request), options),
  };
};
