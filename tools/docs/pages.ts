/** Every page that is made from code, and how. */
import { commandsPage } from './commands-page.ts';
import { configPage } from './config-page.ts';
import { detectorsPage } from './detectors-page.ts';
import { errorsPage } from './errors-page.ts';
import { httpPage } from './http-page.ts';
import { metricsPage } from './metrics-page.ts';
import { reportSchema } from './report-schema.ts';
import { toolsPage } from './tools-page.ts';

export const pages: Readonly<Record<string, () => string>> = {
  'docs/commands.md': commandsPage,
  'docs/config.md': configPage,
  'docs/detectors.md': detectorsPage,
  'docs/errors.md': errorsPage,
  'docs/http.md': httpPage,
  'docs/metrics.md': metricsPage,
  'docs/run-report.schema.json': reportSchema,
  'docs/tools.md': toolsPage,
};
