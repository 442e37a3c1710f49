import { subject } from '../subject.ts'
import * as entities from './entities.ts'

export const events = subject({ name: 'events', kind: 'technical', buildsOn: ['database'], entities })
