import { loadMembers } from '../subjects.ts'
import type { OperationSpec } from './operation.ts'

/** Every operation of the service by id, the source of routes, documents, tools and tests. */
export const OPERATIONS = await loadMembers('operations')

export type OperationId = keyof typeof OPERATIONS

/** Operations in the order of the documents. */
export const operationList: readonly OperationSpec[] = Object.values(OPERATIONS)
