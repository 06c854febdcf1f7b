import cors from 'cors';
import type { RequestHandler } from 'express';

/**
 * Lets pages of these origins send requests from a browser (`CORS_ORIGINS`). Keys travel in a
 * header, so no cookie is needed.
 */
export const shareWithPages = (origins: readonly string[]): RequestHandler =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  });
