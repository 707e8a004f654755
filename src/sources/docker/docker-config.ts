/** The settings of one `docker` source. */
import { z } from 'zod';

/** `unix://` is how DOCKER_HOST writes it. The kernel's sun_path holds 107 characters (unix(7)). */
const SOCKET = /^(?:unix:\/\/)?\/[^\0]{0,106}$/;

const TCP = /^tcp:\/\/(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?\/?$/;

export const dockerConfigSchema = z
  .strictObject({
    socket: z
      .string()
      .regex(SOCKET, 'must be an absolute path of at most 107 characters')
      .optional()
      .describe('Path of the socket; default /var/run/docker.sock.'),
    host: z
      .string()
      .max(300)
      .regex(TCP, 'must look like tcp://host:2376')
      .optional()
      .describe(
        'Engine on the network instead of a socket. TLS is used on port 2376 or when a certificate file is named.',
      ),
    caFile: z.string().min(1).optional().describe('CA that signed the certificate of the engine.'),
    certFile: z.string().min(1).optional().describe('Client certificate.'),
    keyFile: z.string().min(1).optional().describe('Key of the client certificate.'),
    ignore: z
      .array(z.string().min(1).max(128))
      .max(100)
      .default([])
      .describe('Containers that are not looked at: names, with * for any characters and ? for one.'),
  })
  .superRefine((config, context) => {
    const problem = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (config.socket !== undefined && config.host !== undefined) problem('host', 'can not stand beside socket');
    if ((config.certFile === undefined) !== (config.keyFile === undefined)) {
      problem(config.certFile === undefined ? 'certFile' : 'keyFile', 'certFile and keyFile go together');
    }
    if (config.host !== undefined) return;
    for (const name of ['caFile', 'certFile', 'keyFile'] as const) {
      if (config[name] !== undefined) problem(name, 'is of use only with host: tcp://…');
    }
  });

/** `timeout` belongs to every source and is added to each entry's schema where the whole config is composed. */
export type DockerConfig = z.infer<typeof dockerConfigSchema> & { readonly timeout?: number | undefined };
