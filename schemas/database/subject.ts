import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const database = subject({ name: 'database', kind: 'technical', buildsOn: ['common'], settings })
