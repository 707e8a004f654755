/** The settings of one `proxmox-backup` source. */
import { z } from 'zod';
import { PROXMOX_BACKUP } from '../proxmox/product.ts';
import { checkCredentialFields, proxmoxConfigFields } from '../proxmox/proxmox-config-fields.ts';

const fields = proxmoxConfigFields(PROXMOX_BACKUP.defaultPort, { tokenId: 'patrold@pbs!read', user: 'patrold@pbs' });

export const proxmoxBackupConfigSchema = z
  .strictObject({
    ...fields,
    smart: z
      .enum(['all', 'ssd', 'off'])
      .default('all')
      .describe(
        'Disks that are asked for their health. The server wakes a disk that sleeps; `ssd` lets rotating ones rest.',
      ),
  })
  .superRefine((config, context) =>
    checkCredentialFields(config, (path, message) => context.addIssue({ code: 'custom', path: [path], message })),
  );

export type ProxmoxBackupConfig = z.infer<typeof proxmoxBackupConfigSchema>;
