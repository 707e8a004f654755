import { describe, expect, it } from 'vitest';
import { dockerConfigSchema } from '../../../src/sources/docker/docker-config.ts';
import { DEFAULT_SOCKET, explainSocket, socketOf } from '../../../src/sources/docker/real-docker-api.ts';

const problems = (config: unknown): readonly string[] =>
  dockerConfigSchema.safeParse(config).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('dockerConfigSchema', () => {
  it('needs nothing', () => {
    expect(dockerConfigSchema.parse({})).toEqual({ ignore: [] });
    expect(socketOf({ ignore: [] })).toBe(DEFAULT_SOCKET);
  });

  it.each([
    { socket: '/run/user/1000/podman/podman.sock' },
    { socket: 'unix:///var/run/docker.sock' },
    { host: 'tcp://nas.lan:2376', caFile: 'ca.pem', certFile: 'cert.pem', keyFile: 'key.pem' },
    { host: 'tcp://[2001:db8::1]:2375' },
    { host: 'tcp://proxy' },
    { ignore: ['k8s_*', 'job-?'] },
  ])('takes %j', (config) => {
    expect(problems(config)).toEqual([]);
  });

  it('takes a socket as DOCKER_HOST writes it', () => {
    expect(socketOf(dockerConfigSchema.parse({ socket: 'unix:///run/docker.sock' }))).toBe('/run/docker.sock');
    expect(socketOf(dockerConfigSchema.parse({ host: 'tcp://nas' }))).toBeNull();
  });

  it.each([
    [{ socket: 'docker.sock' }, ['socket: must be an absolute path of at most 107 characters']],
    [{ socket: `/${'a'.repeat(107)}` }, ['socket: must be an absolute path of at most 107 characters']],
    [{ host: 'ssh://nas' }, ['host: must look like tcp://host:2376']],
    [{ host: 'tcp://user:pass@nas' }, ['host: must look like tcp://host:2376']],
    [{ socket: '/a', host: 'tcp://nas' }, ['host: can not stand beside socket']],
    [{ host: 'tcp://nas', certFile: 'a' }, ['keyFile: certFile and keyFile go together']],
    [{ caFile: 'ca.pem' }, ['caFile: is of use only with host: tcp://…']],
    [{ sockets: '/a' }, [': Unrecognized key: "sockets"']],
    [{ ignore: [''] }, ['ignore.0: Too small: expected string to have >=1 characters']],
  ])('refuses %j', (config, expected) => {
    expect(problems(config)).toEqual(expected);
  });
});

describe('explainSocket', () => {
  it.each([
    ['ENOENT', /^there is no socket \/x: .*running.*path right/],
    ['EACCES', /^patrold may not open \/x: .*group.*socket proxy/],
    ['EPERM', /^patrold may not open \/x/],
    ['ECONNREFUSED', /^nothing listens at \/x/],
  ])('says for %s what to do', (errno, reason) => {
    expect(explainSocket('/x', errno)).toMatch(reason);
  });

  it('leaves alone what is not the fault of the socket', () => {
    expect(explainSocket('/x', 'ECONNRESET')).toBeNull();
    expect(explainSocket('/x', undefined)).toBeNull();
  });
});
