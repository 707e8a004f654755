/** The secret of a token: how it looks, and what is kept of it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes a leaked token recognisable, for people and for scanners. */
const PREFIX = 'ptr_';
/** 256 bits: beyond guessing, so that a plain hash protects it. */
const SECRET_BYTES = 32;
const FORM = /^ptr_[A-Za-z0-9_-]{43}$/;

export const newTokenSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

export const isTokenSecret = (text: string): boolean => FORM.test(text);

export const hashToken = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

/** Takes the same time whatever the two have in common. */
export const sameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
};
