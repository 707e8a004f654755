/** Bodies: JSON in UTF-8, and nothing else. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Failure, fail } from '../capabilities/answer.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** What fastify does not look at: an encoding, and a character set that would be read as UTF-8 all the same. */
export const whyUnsupported = ({
  headers,
}: Pick<FastifyRequest, 'headers'>): Failure<'content_type_unsupported'> | null => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return fail('content_type_unsupported', 'a body must come without an encoding');
  }
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  return /^utf-?8$/i.test(charset) ? null : fail('content_type_unsupported', 'a body must be in UTF-8');
};

export const addJsonParser = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = decoder.decode(body as Buffer);
    } catch {
      // Not UTF-8; what else is wrong with such a body is told the same way.
      return done(Object.assign(new Error('the body is not UTF-8'), { statusCode: 400 }));
    }
    void parseJson(request, text, done);
  });
};
