struct ChunkDecoder { init() {} }
