import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { loadMembers } from '../subjects.ts'
import type { ROW_OPTIONS } from './columns.ts'

/** Every table of the service. */
export const ENTITIES = Object.values(await loadMembers('entities'))

/** Row types of every table, in property names and JavaScript values. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof ROW_OPTIONS>
