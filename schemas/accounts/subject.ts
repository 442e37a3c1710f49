import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const accounts = subject({ name: 'accounts', buildsOn: ['settlement'], entities, operations, settings })
