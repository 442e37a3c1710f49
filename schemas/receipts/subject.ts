import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const receipts = subject({ name: 'receipts', buildsOn: ['verification'], entities, operations })
