import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const common = subject({ name: 'common', kind: 'technical', buildsOn: [], settings })
