import { subject } from '../subject.ts'

export const health = subject({ name: 'health', kind: 'overview', buildsOn: ['temporal'], operations: () => import('./operations.ts') })

/** Its operations for operators, which stand at the end of the documents. */
export const healthAdmin = { ...health, operations: () => import('./admin-operations.ts') }
