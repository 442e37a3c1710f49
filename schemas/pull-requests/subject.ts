import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const pullRequests = subject({ name: 'pull-requests', buildsOn: ['codehost', 'sessions'], entities, operations, settings })
