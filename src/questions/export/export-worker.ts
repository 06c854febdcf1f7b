import { writePieces } from '../threads/piece-worker';
import { exportedPieces } from './exported-rows';

// A thread that writes one export runs this file.
writePieces(exportedPieces);
