# The newest Node LTS. Where no registry can be reached, another image stands in: NODE_IMAGE=… docker compose build
ARG NODE_IMAGE=node:24.21.0-slim

# Compiles with the development dependencies, which stay behind in this stage.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN node_modules/.bin/tsc -p tsconfig.build.json --sourceMap false --declaration false
COPY scripts/copy-assets.mjs ./scripts/
RUN node scripts/copy-assets.mjs dist
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
# A new volume takes over the owner of the folder.
RUN install -d -o node -g node -m 0700 /data
COPY package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The manual, which the service shows to browsers.
COPY README.md ./dist/
COPY docs ./dist/docs
# And the saved queries of the analyst's kit.
COPY cypher ./dist/cypher
# What the image was built from: /healthz, /metrics and the labels tell it. They come last, so that a new commit builds little.
ARG COMMIT=unknown
ARG VERSION=1.0.0
ARG SOURCE=unknown
RUN printf '%s\n' "$COMMIT" > dist/commit.txt
LABEL org.opencontainers.image.title="Grantgraph" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.licenses="Apache-2.0"
USER node
VOLUME /data
EXPOSE 8080
# The service lives, over http or https. Whether it also reaches Neo4j is for /readyz to tell.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "dist/cli/health.js"]
CMD ["node", "dist/main.js"]
