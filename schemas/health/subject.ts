import { subject } from '../subject.ts'
import * as adminOperations from './admin-operations.ts'
import * as operations from './operations.ts'

export const health = subject({ name: 'health', kind: 'overview', buildsOn: ['temporal'], operations })

/** Its operations for operators, which stand at the end of the documents. */
export const healthAdmin = { ...health, operations: adminOperations }
