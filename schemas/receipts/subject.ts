import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const receipts = subject({ name: 'receipts', buildsOn: ['verification'], entities, operations, settings })
