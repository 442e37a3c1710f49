import { subject } from '../subject.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const credit = subject({ name: 'credit', buildsOn: ['pool'], operations, settings })
