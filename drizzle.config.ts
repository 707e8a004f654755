import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./findings/schema.ts', './src/*/schema.ts'],
  out: './migrations',
});
