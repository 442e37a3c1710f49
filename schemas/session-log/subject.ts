import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const sessionLog = subject({ name: 'session-log', buildsOn: ['identity', 'sessions'], entities, operations })
