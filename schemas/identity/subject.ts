import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const identity = subject({ name: 'identity', buildsOn: ['http'], entities, operations, settings })
