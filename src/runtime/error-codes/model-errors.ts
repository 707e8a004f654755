/** Codes of what goes wrong with a language model. */
import type { ErrorMeanings } from './error-meaning.ts';

export const modelErrors = {
  model_unreachable: {
    meaning: 'The provider of the model could not be reached, or broke off.',
    remedy: 'Check `model.baseUrl` and the network; `patrold model check` asks again. Patrols go on without the model.',
  },
  model_timed_out: {
    meaning: 'The model took longer than `model.timeouts` allows: to its first token, between two, or in all.',
    remedy: 'Raise the limit that the message names, or choose a smaller model; a cold local one takes its time.',
  },
  model_rate_limited: {
    meaning: 'The provider takes no further request for now.',
    remedy: 'Patrols go on without the model until it does; a higher tier, or fewer patrols, would avoid it.',
  },
  model_overloaded: {
    meaning: 'The provider answered with an error of its own.',
    remedy: 'Patrols go on without the model; look at the status page or the log of the provider if it lasts.',
  },
  model_unauthorised: {
    meaning: 'The provider does not accept the API key, or the key may not use this model.',
    remedy: 'Check `model.apiKey` or `model.apiKeyFile`, and what the account may use.',
  },
  model_not_found: {
    meaning: 'The provider has no model of that name.',
    remedy: 'Correct `model.name`; `patrold model check` lists what the provider has, where it tells.',
  },
  model_context_exceeded: {
    meaning: 'The request did not fit into the context of the model.',
    remedy: 'Set `model.contextTokens` to what the server really offers, or choose a model with a larger context.',
  },
  model_refused: {
    meaning: 'The provider did not accept the request, or the model declined to answer it.',
    remedy: 'The message has the reason of the provider; report it if the request itself is at fault.',
  },
  model_bad_answer: {
    meaning: 'What came back is no answer of a model: not its protocol, empty, or broken.',
    remedy: 'Check that `model.provider` and `model.baseUrl` fit together; `patrold model check` says more.',
  },
  model_circuit_open: {
    meaning: 'The provider failed so often that it is left alone for a while.',
    remedy: 'Nothing: it is tried again by itself. `patrold model check` asks at once.',
  },
  model_out_of_budget: {
    meaning: 'A limit of `model.budget` is used up.',
    remedy: 'Raise the limit that the message names, or wait until its window has moved on.',
  },
  alias_key_unusable: {
    meaning: 'The key that `model.replaceNames` makes its aliases with can not be read or written.',
    remedy: 'Make the file readable for the user that patrold runs as; deleting it gives every name a new alias.',
  },
  model_cancelled: {
    meaning: 'A turn of the model was cancelled before it had ended.',
    remedy: 'Nothing: whoever cancelled the run did it.',
  },
} as const satisfies ErrorMeanings;
