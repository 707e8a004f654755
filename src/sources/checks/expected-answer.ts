/** Whether an HTTP answer is the one that was expected. Pure. */
import type { HttpCheck, StatusRange } from './check.ts';

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  /** Null: it was not read to its end. */
  readonly body: Buffer | null;
}

const formatRange = ({ from, to }: StatusRange): string =>
  from === to ? String(from) : `${String(from).slice(0, 1)}xx`;

/** Without path and query: those can hold secrets. */
const originOf = (location: string | undefined, base: URL): string =>
  location !== undefined && URL.canParse(location, base.href) ? new URL(location, base).origin : 'elsewhere';

const wrongStatus = (check: HttpCheck, { status, location }: Answer): string => {
  const expected = check.expectStatus.map(formatRange).join(' or ');
  if (status < 300 || status > 399) return `${check.url.origin} answers with status ${status}, expected is ${expected}`;
  const to = originOf(location, check.url);
  return `${check.url.origin} redirects to ${to} (${status}), which is not followed: check the final address instead, or expect the redirect with expectStatus`;
};

/** Null: it is as expected; else what is wrong, for people. */
export const wrongWith = (check: HttpCheck, answer: Answer): string | null => {
  const { status, body } = answer;
  if (!check.expectStatus.some(({ from, to }) => status >= from && status <= to)) return wrongStatus(check, answer);
  if (check.expectBody === null) return null;
  if (body === null) return `${check.url.origin} answers with more than can be searched for the expected text`;
  return body.includes(check.expectBody) ? null : `${check.url.origin} answers, but not with the expected text`;
};
