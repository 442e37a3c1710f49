import { subject } from '../subject.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const tools = subject({ name: 'tools', kind: 'overview', buildsOn: ['discovery'], operations, settings })
