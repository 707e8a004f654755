/** The commented config that `patrold init` writes: what was found on this machine is in force, the rest is there to uncomment. */

export interface FoundOnMachine {
  readonly timeZone: string;
  /** Path of a container engine's socket; null: none was found. */
  readonly dockerSocket: string | null;
  /** Whether this user may talk to it. */
  readonly dockerUsable: boolean;
  readonly prometheusUrl: string | null;
}

const dockerSection = ({ dockerSocket, dockerUsable }: FoundOnMachine): string => {
  const path = dockerSocket ?? '/var/run/docker.sock';
  const entry = `  - { id: docker, type: docker, socket: ${path} }`;
  if (dockerSocket === null) return `  # no container engine was found here\n  # ${entry.trim()}\n`;
  if (dockerUsable) return `${entry}\n`;
  return `  # ${path} is there, but this user may not use it: add it to the group of the socket, then uncomment\n  # ${entry.trim()}\n`;
};

const prometheusSection = ({ prometheusUrl }: FoundOnMachine): string => {
  const entry = `  - { id: metrics, type: prometheus, url: "${prometheusUrl ?? 'http://127.0.0.1:9090'}" }`;
  return prometheusUrl === null ? `  # no Prometheus answered on this machine\n  # ${entry.trim()}\n` : `${entry}\n`;
};

export const starterConfig = (
  found: FoundOnMachine,
): string => `# patrold: what it reads, how often, and from when on something is wrong.
# Everything has a default; an empty file watches this machine. Check with: patrold check-config --connect

patrol:
  schedule: "0 */6 * * *"        # full patrols: minute hour day month weekday
  watch: 5m                      # quick looks in between; off for none
  timeZone: ${found.timeZone}

sources:
  - { id: this-host, type: host }
${dockerSection(found)}${prometheusSection(found)}  # Proxmox VE, with a token that may audit (docs/sources.md has the commands):
  # - { id: home, type: proxmox-ve, endpoints: ["https://pve1:8006"], tokenId: "patrold@pve!read", tokenSecretFile: pve.secret, caFile: pve-root-ca.pem }

# What answers when it is well. Without \`resource\` each check stands for itself.
# checks:
#   - { name: website, http: "https://example.org/", expectStatus: 200 }
#   - { name: nas-ssh, tcp: "192.0.2.10:22" }
#   - { name: router, icmp: "192.0.2.1" }

# Backups, each with the unit that makes it: a failed run leaves no archive.
# backups:
#   - { name: laptop, type: restic, repository: /srv/restic, passwordFile: restic.pw, unit: restic-backup.service, every: 24h }
#   - { name: dumps, type: directory, path: /srv/dumps, every: 24h }

# Limits. \`patrold thresholds\` shows each one in force and where it comes from.
# alerts:
#   host:       { cpu: { warning: 85, for: 30m }, memory: { warning: 90 } }
#   filesystem: { usage: { warning: 80, critical: 92, clear: 76 } }
#   overrides:
#     - { match: { id: "nas1/filesystem/srv-media" }, filesystem: { usage: { warning: 96 } } }

# Gaps that are known and accepted, so that they don't make every run incomplete.
# accept:
#   - { detector: smart_failure, because: "no SMART behind this controller" }

http:
  listen: "127.0.0.1:7790"       # findings, runs, /metrics; off for none
`;
