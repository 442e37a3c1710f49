import { subject } from '../subject.ts'
import * as adminOperations from './admin-operations.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const catalogue = subject({ name: 'catalogue', buildsOn: ['content'], entities, operations, settings })

/** Its operations for operators, which stand at the end of the documents. */
export const catalogueAdmin = { ...catalogue, operations: adminOperations }
