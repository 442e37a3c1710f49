import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const reputation = subject({ name: 'reputation', buildsOn: ['identity', 'sessions'], entities, operations })
