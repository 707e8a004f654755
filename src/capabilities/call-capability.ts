/** Checks what a caller sent, and lets the capability answer: the one way in for HTTP, MCP and the command line. */
import type { z } from 'zod';
import { type Answer, type Failure, fail } from './answer.ts';
import type { CapabilityErrorCode } from './api-errors.ts';
import type { AnyCapability, CapabilityContext } from './capability.ts';

/** Problems that one answer lists; a caller who has more will see the rest next time. */
const MAX_PROBLEMS = 50;

export interface InputProblem {
  /** `severity[0]`; empty: the input as a whole. */
  readonly path: string;
  readonly message: string;
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

/** Names in the path, in order: `id` of `/api/findings/:id`. */
export const pathParameters = ({ path }: Pick<AnyCapability, 'path'>): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

const refusal = (capability: AnyCapability, problems: readonly InputProblem[]): Failure<CapabilityErrorCode> =>
  fail(
    capability.invalidInput,
    problems.length === 1
      ? `the input has a problem: ${problemText(problems[0])}`
      : `the input has ${problems.length} problems`,
    { problems: problems.slice(0, MAX_PROBLEMS) },
  );

const problemText = (problem: InputProblem | undefined): string =>
  problem === undefined ? '' : [problem.path, problem.message].filter((part) => part !== '').join(': ');

const problemsOf = ({ issues }: z.ZodError): readonly InputProblem[] =>
  issues.map(({ path, message }) => ({ path: pathText(path), message }));

/**
 * `problems`: what was wrong with the request before it was brought to the shape of an input (a parameter given twice);
 * they are told together with those of the schema.
 */
export const callCapability = async (
  capability: AnyCapability,
  raw: Readonly<Record<string, unknown>>,
  context: CapabilityContext,
  problems: readonly InputProblem[] = [],
): Promise<Answer<unknown, CapabilityErrorCode>> => {
  const missing = pathParameters(capability).find((name) => raw[name] === undefined || raw[name] === '');
  if (missing !== undefined) return fail('missing_id', `the path lacks its ${missing}`);
  const parsed = capability.input.safeParse(raw);
  const all = [...problems, ...(parsed.success ? [] : problemsOf(parsed.error))];
  if (!parsed.success || all.length > 0) return refusal(capability, all);
  // `input` of this very capability made it.
  return capability.handle(parsed.data as never, context);
};
