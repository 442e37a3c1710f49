import { subject } from '../subject.ts'
import * as operations from './operations.ts'

export const discovery = subject({ name: 'discovery', kind: 'overview', buildsOn: ['health'], operations })
