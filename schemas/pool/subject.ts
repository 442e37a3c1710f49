import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const pool = subject({ name: 'pool', buildsOn: ['chain'], entities, operations })
