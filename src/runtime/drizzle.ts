/**
 * The only import of drizzle-orm: its CommonJS build, which takes a ninth of the memory of its ES modules
 * (docs/decisions/0001-drizzle-through-one-module.md). Schemas and stores import from here.
 */
import { createRequire } from 'node:module';

export type { InferInsertModel, InferSelectModel, SQL } from 'drizzle-orm';
export type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
export type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';

type Orm = typeof import('drizzle-orm');
type SqliteCore = typeof import('drizzle-orm/sqlite-core');
type Driver = typeof import('drizzle-orm/better-sqlite3');

const require = createRequire(import.meta.url);
const orm = require('drizzle-orm') as Orm;
const core = require('drizzle-orm/sqlite-core') as SqliteCore;

export const { sqliteTable, text, integer, real, blob } = core;
export const { check, foreignKey, index, primaryKey, unique, uniqueIndex } = core;
export const { and, between, eq, exists, gt, gte, inArray, isNotNull, isNull, like, lt, lte, ne, not, notInArray, or } =
  orm;
export const { asc, desc, count, getTableColumns, max, min, sql, sum } = orm;
export const { drizzle } = require('drizzle-orm/better-sqlite3') as Driver;
