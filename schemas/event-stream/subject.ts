import { subject } from '../subject.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const eventStream = subject({ name: 'event-stream', buildsOn: ['identity'], operations, settings })
