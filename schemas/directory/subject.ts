import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const directory = subject({ name: 'directory', buildsOn: ['locked-deposits', 'receipts'], entities, operations, settings })
