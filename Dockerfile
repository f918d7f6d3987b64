# The executable holds everything, so the image that runs has nothing beside it but the C library that Bun is linked to. Nothing is run in
# that image while it is built, and so one machine builds it for every processor. Both names take a digest (`…@sha256:…`).
ARG BUILD_IMAGE=docker.io/oven/bun:1.4.4-debian
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /latchkey
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY public public
COPY migrations migrations
COPY islands islands
COPY src src
RUN bun src/build/assets.ts
# The baseline runs on every x64 processor, those without AVX2 too.
ARG TARGETARCH=amd64
# The version names the commit, which the build cannot see: --build-arg LATCHKEY_COMMIT="$(git rev-parse --short HEAD)".
ARG LATCHKEY_COMMIT=""
RUN case "$TARGETARCH" in amd64) machine=x64-baseline ;; *) machine="$TARGETARCH" ;; esac \
  && bun src/build/executable.ts --target "bun-linux-$machine" \
  && mkdir data

FROM ${RUNTIME_IMAGE}
ARG VERSION=""
ARG LATCHKEY_COMMIT=""
LABEL org.opencontainers.image.title="Latchkey" \
  org.opencontainers.image.description="A self-hosted licence-key panel for mobile games" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$LATCHKEY_COMMIT"
COPY README.md LICENSE SECURITY.md CHANGELOG.md compose.yaml compose.scale.yaml /usr/share/doc/latchkey/
COPY docs /usr/share/doc/latchkey/docs
COPY --from=build /latchkey/build/assets/THIRD-PARTY-NOTICES /usr/share/doc/latchkey/
COPY --from=build /latchkey/build/latchkey /usr/local/bin/latchkey
# A number, not a name: so Kubernetes sees that it is not root, and a folder of the host is given to it by `chown 10001:10001`.
COPY --from=build --chown=10001:10001 /latchkey/data /data
USER 10001:10001
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["latchkey", "healthcheck"]
ENTRYPOINT ["latchkey"]
CMD ["serve"]
