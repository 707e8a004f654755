/** One definition per capability, from which its HTTP route, its manifest entry and (later) its MCP tool are made. */
import type { z } from 'zod';
import type { RequiredScope, TokenScope } from './access.ts';
import type { Answer } from './answer.ts';
import type { CapabilityErrorCode } from './api-errors.ts';
import type { CapabilityCategory } from './category.ts';
import type { CapabilityPorts } from './ports.ts';

/** Who asks. A local process that opened the store itself is no token, and may everything. */
export interface Caller {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
}

export interface CapabilityContext {
  readonly ports: CapabilityPorts;
  readonly caller: Caller;
  readonly nowMs: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Path with its parameters as `:name`; each names a property of the input. */
export type CapabilityPath = `/api/${string}`;

export interface Capability<I extends z.ZodObject, O extends z.ZodType, E extends CapabilityErrorCode> {
  /** snake_case; the file's name in kebab-case. */
  readonly name: string;
  readonly title: string;
  /** For people and models: what it answers, and what to use it for. */
  readonly description: string;
  readonly category: CapabilityCategory;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: CapabilityPath;
  readonly scope: RequiredScope;
  readonly mode: 'read' | 'write';
  /** Whether a person has to approve each use. */
  readonly approval: 'never' | 'by_policy' | 'always';
  /** Strict, of JSON types alone; parameters of the path are strings in it. */
  readonly input: I;
  readonly output: O;
  /** Code for input that `input` refuses. */
  readonly invalidInput: NoInfer<E>;
  /** Everything that `handle`, or the check of the input, can fail with. */
  readonly errors: readonly E[];
  handle(
    input: z.output<I>,
    context: CapabilityContext,
  ): Answer<z.input<O>, NoInfer<E>> | Promise<Answer<z.input<O>, NoInfer<E>>>;
}

/** A capability whose input and output types have been forgotten, so that many fit in one list. */
export interface AnyCapability extends Omit<Capability<z.ZodObject, z.ZodType, CapabilityErrorCode>, 'handle'> {
  handle(
    input: never,
    context: CapabilityContext,
  ): Answer<unknown, CapabilityErrorCode> | Promise<Answer<unknown, CapabilityErrorCode>>;
}

export const defineCapability = <I extends z.ZodObject, O extends z.ZodType, const E extends CapabilityErrorCode>(
  capability: Capability<I, O, E>,
): AnyCapability =>
  // Sound because `callCapability` hands over only what `input` itself has let through.
  capability as unknown as AnyCapability;
