/** The parts of smartctl's JSON (format 1.x, smartmontools 7.0 and later) that are read. Others' output: lenient. */
import { z } from 'zod';

/** A field that has an unexpected shape is as good as absent. */
const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const figure = maybe(z.number());
const text = maybe(z.string());

export const attributeSchema = z.object({
  id: z.number().int().min(1).max(255),
  name: z.string(),
  value: figure,
  worst: figure,
  thresh: figure,
  when_failed: text,
  flags: maybe(z.object({ prefailure: maybe(z.boolean()) })),
  raw: z.object({ value: z.number(), string: z.string() }),
});
export type JsonAttribute = z.infer<typeof attributeSchema>;

const ataSelfTestLog = maybe(z.object({ table: maybe(z.array(z.unknown())) }));
const errorCounters = maybe(z.object({ total_uncorrected_errors: figure }));

export const smartReportSchema = z.looseObject({
  json_format_version: z.array(z.number()).min(1),
  smartctl: z.object({
    exit_status: figure,
    messages: maybe(z.array(z.object({ string: z.string(), severity: text }))),
  }),
  device: maybe(z.object({ name: z.string(), type: z.string(), protocol: z.string() })),
  model_name: text,
  scsi_product: text,
  /** smartmontools 7.0 to 7.2. */
  product: text,
  serial_number: text,
  wwn: maybe(z.object({ naa: z.number(), oui: z.number(), id: z.number() })),
  logical_unit_id: text,
  nvme_namespaces: maybe(z.array(z.object({ eui64: maybe(z.object({ oui: z.number(), ext_id: z.number() })) }))),
  user_capacity: maybe(z.object({ bytes: z.number() })),
  rotation_rate: figure,
  smart_support: maybe(z.object({ available: maybe(z.boolean()), enabled: maybe(z.boolean()) })),
  smart_status: maybe(z.object({ passed: z.boolean() })),
  ata_smart_attributes: maybe(z.object({ table: z.array(z.unknown()) })),
  ata_smart_self_test_log: maybe(z.object({ standard: ataSelfTestLog, extended: ataSelfTestLog })),
  ata_device_statistics: maybe(
    z.object({ pages: z.array(z.object({ number: figure, table: maybe(z.array(z.unknown())) })) }),
  ),
  nvme_smart_health_information_log: maybe(z.unknown()),
  nvme_self_test_log: maybe(z.object({ table: maybe(z.array(z.unknown())) })),
  scsi_error_counter_log: maybe(z.object({ read: errorCounters, write: errorCounters, verify: errorCounters })),
  scsi_grown_defect_list: figure,
  scsi_percentage_used_endurance_indicator: figure,
  endurance_used: maybe(z.object({ current_percent: figure })),
  power_on_time: maybe(z.object({ hours: figure })),
  temperature: maybe(z.object({ current: figure, drive_trip: figure })),
  nvme_composite_temperature_threshold: maybe(z.object({ warning: figure, critical: figure })),
  ata_sct_temperature_history: maybe(
    z.object({ logging_interval_minutes: figure, table: maybe(z.array(z.number().nullable())) }),
  ),
});
export type SmartReport = z.infer<typeof smartReportSchema>;

/** `[1, x]`: additions move the minor number, everything else the major one. */
export const KNOWN_FORMAT = 1;
