import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { membersOf } from '../subjects.ts'
import type { ROW_OPTIONS } from './columns.ts'

/** Every table of the service. */
export const ENTITIES = Object.values(membersOf('entities'))

/** Row types of every table, in property names and JavaScript values. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof ROW_OPTIONS>
