import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const sessions = subject({ name: 'sessions', buildsOn: ['catalogue'], entities, operations })
