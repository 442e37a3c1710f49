import { subject } from '../subject.ts'
import * as entities from './entities.ts'

export const audit = subject({ name: 'audit', kind: 'overview', buildsOn: [], entities })
