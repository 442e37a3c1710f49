// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {ITreasuryPolicy} from "./lib/Interfaces.sol";

/// @title ReputationSBT
/// @notice Non-transferable badges and a three-number score per account.
contract ReputationSBT {
    struct Badge {
        address owner;
        bytes32 category;
        uint256 level;
        string metadataURI;
    }

    struct Reputation {
        uint256 skill;
        uint256 reliability;
        uint256 economic;
    }

    event BadgeMinted(
        uint256 indexed tokenId, address indexed account, bytes32 indexed category, uint256 level, string metadataURI
    );
    event ReputationUpdated(address indexed account, uint256 skill, uint256 reliability, uint256 economic);
    event ReputationSlashed(
        address indexed account,
        uint256 skillDelta,
        uint256 reliabilityDelta,
        uint256 economicDelta,
        bytes32 reasonCode,
        uint256 newSkill,
        uint256 newReliability,
        uint256 newEconomic
    );

    error Unauthorized();
    error Soulbound();

    string public constant name = "Agent Reputation Badge";
    string public constant symbol = "ARB";
    ITreasuryPolicy public immutable policy;
    uint256 public nextTokenId = 1;
    mapping(uint256 tokenId => Badge) public badges;
    mapping(address account => Reputation) public reputations;
    mapping(address account => uint256[]) public tokensByOwner;
    /// @notice The highest badge level of an account in a category.
    mapping(address account => mapping(bytes32 category => uint256)) public categoryLevels;

    modifier onlyOperator() {
        if (!policy.reputationWriter(msg.sender)) revert Unauthorized();
        _;
    }

    constructor(address policy_) {
        policy = ITreasuryPolicy(policy_);
    }

    /// @notice Mints a badge; ids start at 1.
    function mintBadge(address account, bytes32 category, uint256 level, string calldata metadataURI)
        external
        onlyOperator
        returns (uint256 tokenId)
    {
        tokenId = nextTokenId++;
        badges[tokenId] = Badge(account, category, level, metadataURI);
        tokensByOwner[account].push(tokenId);
        if (level > categoryLevels[account][category]) categoryLevels[account][category] = level;
        emit BadgeMinted(tokenId, account, category, level, metadataURI);
    }

    /// @notice Overwrites the three numbers of an account.
    function updateReputation(address account, uint256 skill, uint256 reliability, uint256 economic)
        external
        onlyOperator
    {
        reputations[account] = Reputation(skill, reliability, economic);
        emit ReputationUpdated(account, skill, reliability, economic);
    }

    /// @notice Subtracts from the three numbers, never below zero.
    function slashReputation(
        address account,
        uint256 skillDelta,
        uint256 reliabilityDelta,
        uint256 economicDelta,
        bytes32 reasonCode
    ) external onlyOperator {
        Reputation storage score = reputations[account];
        score.skill = _floored(score.skill, skillDelta);
        score.reliability = _floored(score.reliability, reliabilityDelta);
        score.economic = _floored(score.economic, economicDelta);
        emit ReputationSlashed(
            account,
            skillDelta,
            reliabilityDelta,
            economicDelta,
            reasonCode,
            score.skill,
            score.reliability,
            score.economic
        );
    }

    /// @notice Number of badges of an account.
    function balanceOf(address account) external view returns (uint256) {
        return tokensByOwner[account].length;
    }

    /// @notice Holder of a badge; zero for an unknown id.
    function ownerOf(uint256 tokenId) external view returns (address) {
        return badges[tokenId].owner;
    }

    /// @notice Metadata address of a badge; empty for an unknown id.
    function tokenURI(uint256 tokenId) external view returns (string memory) {
        return badges[tokenId].metadataURI;
    }

    /// @notice Always refused.
    function transfer(address, uint256) external pure {
        revert Soulbound();
    }

    /// @notice Always refused.
    function transferFrom(address, address, uint256) external pure {
        revert Soulbound();
    }

    /// @notice Always refused.
    function safeTransferFrom(address, address, uint256) external pure {
        revert Soulbound();
    }

    /// @notice Always refused.
    function safeTransferFrom(address, address, uint256, bytes calldata) external pure {
        revert Soulbound();
    }

    function _floored(uint256 value, uint256 delta) private pure returns (uint256) {
        return value > delta ? value - delta : 0;
    }
}
