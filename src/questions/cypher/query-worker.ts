import { writePieces } from '../threads/piece-worker';
import { queryPieces } from './query-pieces';

// A thread that writes answers to queries of callers runs this file.
writePieces(queryPieces);
