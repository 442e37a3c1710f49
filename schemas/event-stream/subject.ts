import { subject } from '../subject.ts'
import * as operations from './operations.ts'

export const eventStream = subject({ name: 'event-stream', buildsOn: ['identity'], operations })
