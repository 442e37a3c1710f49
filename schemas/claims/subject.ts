import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const claims = subject({ name: 'claims', buildsOn: ['eligibility', 'verification'], entities, operations })
