export { createClient } from './client.ts'
/** Types of everything that inputs and answers are made of, such as `Schemas.Session`. */
export type * as Schemas from './generated/operations.ts'
export type { ErrorCode, FieldError, NextAction, OperationId, Operations, Problem, StreamItem } from './generated/operations.ts'
export { OPERATIONS } from './generated/operations.ts'
export { formatJson } from './json.ts'
export type * from './operation-row.ts'
export { ConnectionError, isProblem, PendingError, type ProblemDocument, ServiceProblem, UnexpectedAnswer } from './problems.ts'
export type * from './types.ts'
